"""Compilation of a program's text by LLVM, optimised as far as its size allows."""

from __future__ import annotations

from enum import IntEnum

_SMALL, _FULL, LIGHT = 320_000, 640_000, 1_280_000
"""Limits of a program's text, in characters, by which making its code takes at most one and a half seconds: below the
first, loops are unrolled; from the second on, a few passes optimise the code, and from the third on none."""
PASSES = "always_inliner", "sroa", "instruction_combine", "simplify_cfg"
"""The passes of light optimisation: followed by a quick register allocation, they give most of the speed of large
programs in half the time."""


class Level(IntEnum):
    """The optimisation levels of native code."""

    NONE = 0
    LIGHT = 1
    FULL = 2


def machine() -> str:
    """Return what object code depends on besides its program: the compiler and the processor."""
    import llvmlite
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    return f"{llvmlite.__version__} {llvm.get_process_triple()} {llvm.get_host_cpu_name()} {features}"


def affordable(size: int) -> Level:
    """Return the default optimisation level for a program's text of this size."""
    return Level.FULL if size < _FULL else Level.LIGHT if size < LIGHT else Level.NONE


def compiled(text: str, level: Level) -> bytes:
    """Compile a program's text to object code."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple().create_target_machine(cpu, features, level, "pic", "small")
    module = llvm.parse_assembly(text)
    module.verify()
    module.triple = llvm.get_process_triple()
    module.data_layout = str(target.target_data)
    if level is Level.LIGHT:
        passes = llvm.create_new_module_pass_manager()
        for name in PASSES:
            getattr(passes, f"add_{name}_pass")()
        passes.run(module, llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(speed_level=0)))
    if level is not Level.FULL:
        return bytes(target.emit_object(module))
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = options.slp_vectorization = (
        False  # loops have few iterations: vectorized versions would only add code
    )
    options.loop_unrolling = len(text) < _SMALL
    builder = llvm.create_pass_builder(target, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(target.emit_object(module))
