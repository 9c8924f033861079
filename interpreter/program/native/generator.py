"""The random generator of native plays: xoshiro256**. SplitMix64 fills its state from a seed and a play's number.

A draw among n takes one word x of 64 bits: it is the upper half of x * n, and words whose lower half is less than
2**64 mod n are passed over, so that every outcome is as likely. So a play hangs on the seed and its own number alone,
however many threads play.
"""

from __future__ import annotations

_WORD = 2**64 - 1
_STEP = 0x9E3779B97F4A7C15


def _mixed(word: int) -> int:
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & _WORD
    return word ^ (word >> 31)


def _rotated(word: int, by: int) -> int:
    return (word << by | word >> (64 - by)) & _WORD


class Generator:
    """The same generator in Python."""

    def __init__(self, seed: int, play: int = 0) -> None:
        key = _mixed((seed + _STEP * (play + 1)) & _WORD)
        self._state = [_mixed((key + _STEP * at) & _WORD) for at in range(1, 5)]

    def word(self) -> int:
        """The next 64 bits."""
        s = self._state
        found = _rotated(s[1] * 5 & _WORD, 7) * 9 & _WORD
        third = s[1] << 17 & _WORD
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= third
        s[3] = _rotated(s[3], 45)
        return found

    def below(self, end: int) -> int:
        """One of the numbers from 0 to less than `end`, all alike."""
        while True:
            product = self.word() * end
            if product & _WORD >= 2**64 % end:
                return product >> 64


LLVM = """
define internal i64 @mixed(i64 %w) alwaysinline {
  %a = lshr i64 %w, 30
  %b = xor i64 %w, %a
  %c = mul i64 %b, -4658895280553007687
  %d = lshr i64 %c, 27
  %e = xor i64 %c, %d
  %f = mul i64 %e, -7723592293110705685
  %g = lshr i64 %f, 31
  %h = xor i64 %f, %g
  ret i64 %h
}
define internal void @seeded(ptr %r, i64 %seed, i64 %play) {
  %n = add i64 %play, 1
  %o = mul i64 %n, -7046029254386353131
  %k = add i64 %seed, %o
  %key = call i64 @mixed(i64 %k)
  %k1 = add i64 %key, -7046029254386353131
  %k2 = add i64 %k1, -7046029254386353131
  %k3 = add i64 %k2, -7046029254386353131
  %k4 = add i64 %k3, -7046029254386353131
  %s0 = call i64 @mixed(i64 %k1)
  %s1 = call i64 @mixed(i64 %k2)
  %s2 = call i64 @mixed(i64 %k3)
  %s3 = call i64 @mixed(i64 %k4)
  %p1 = getelementptr i8, ptr %r, i64 8
  %p2 = getelementptr i8, ptr %r, i64 16
  %p3 = getelementptr i8, ptr %r, i64 24
  store i64 %s0, ptr %r
  store i64 %s1, ptr %p1
  store i64 %s2, ptr %p2
  store i64 %s3, ptr %p3
  ret void
}
define internal i64 @word(ptr %r) alwaysinline {
  %p1 = getelementptr i8, ptr %r, i64 8
  %p2 = getelementptr i8, ptr %r, i64 16
  %p3 = getelementptr i8, ptr %r, i64 24
  %s0 = load i64, ptr %r
  %s1 = load i64, ptr %p1
  %s2 = load i64, ptr %p2
  %s3 = load i64, ptr %p3
  %five = mul i64 %s1, 5
  %turned = call i64 @llvm.fshl.i64(i64 %five, i64 %five, i64 7)
  %found = mul i64 %turned, 9
  %third = shl i64 %s1, 17
  %a2 = xor i64 %s2, %s0
  %a3 = xor i64 %s3, %s1
  %n1 = xor i64 %s1, %a2
  %n0 = xor i64 %s0, %a3
  %n2 = xor i64 %a2, %third
  %n3 = call i64 @llvm.fshl.i64(i64 %a3, i64 %a3, i64 45)
  store i64 %n0, ptr %r
  store i64 %n1, ptr %p1
  store i64 %n2, ptr %p2
  store i64 %n3, ptr %p3
  ret i64 %found
}
define internal i64 @below(ptr %r, i64 %end) alwaysinline {
entry:
  %wide = zext i64 %end to i128
  br label %draw
draw:
  %word = call i64 @word(ptr %r)
  %x = zext i64 %word to i128
  %product = mul i128 %x, %wide
  %low = trunc i128 %product to i64
  %maybe = icmp ult i64 %low, %end
  br i1 %maybe, label %close, label %done
close:
  %minus = sub i64 0, %end
  %least = urem i64 %minus, %end
  %again = icmp ult i64 %low, %least
  br i1 %again, label %draw, label %done
done:
  %upper = lshr i128 %product, 64
  %found = trunc i128 %upper to i64
  ret i64 %found
}
declare i64 @llvm.fshl.i64(i64, i64, i64)
"""
