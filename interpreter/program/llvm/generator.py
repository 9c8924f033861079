"""Native code for the random generator of `interpreter/generator.py`: xoshiro256** (`@word`), seeded by SplitMix64
(`@mixed`, `@seeded`), with Lemire's bounded draws (`@below`). It numbers plays from 0: play 0 is game 1."""

from __future__ import annotations

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
