"""Native functions as methods of Python, so that a call has no conversion overhead.

The functions use CPython's stable ABI for extensions. `self` is the address of a thread's context; a state is a
`NativeState`, whose bytes are the state. Where native code stops, the context's `raises` is called, and raises; the
state is then restored.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

METHOD_CODE = """
@PyExc_TypeError = external global ptr
@_Py_NoneStruct = external global i8
@_Py_TrueStruct = external global i8
@_Py_FalseStruct = external global i8
@no_state = internal constant [41 x i8] c"this takes a state of this game's engine\\00"
@no_event = internal constant [42 x i8] c"this takes a state and a number of a move\\00"
declare ptr @PyObject_Type(ptr)
declare ptr @PyObject_CallNoArgs(ptr)
declare void @Py_DecRef(ptr)
declare void @Py_IncRef(ptr)
declare i64 @PyByteArray_Size(ptr)
declare ptr @PyByteArray_AsString(ptr)
declare ptr @PyLong_AsVoidPtr(ptr)
declare ptr @PyLong_FromLongLong(i64)
declare i64 @PyLong_AsLongLong(ptr)
declare ptr @PyErr_Occurred()
declare void @PyErr_SetString(ptr, ptr)
declare ptr @PyList_New(i64)
declare i32 @PyList_SetItem(ptr, i64, ptr)
define internal ptr @state_of(ptr %C, ptr %given) {{
  %type = call ptr @PyObject_Type(ptr %given)
  call void @Py_DecRef(ptr %type)
  %kind.at = getelementptr i8, ptr %C, i64 {C[kind]}
  %kind = load ptr, ptr %kind.at
  %right = icmp eq ptr %type, %kind
  br i1 %right, label %typed, label %wrong
typed:
  %size = call i64 @PyByteArray_Size(ptr %given)
  %fits = icmp eq i64 %size, {size}
  br i1 %fits, label %well, label %wrong
well:
  %work.at = getelementptr i8, ptr %C, i64 {C[budget]}
  %work = load i64, ptr %work.at
  store i64 %work, ptr %C
  %depth.at = getelementptr i8, ptr %C, i64 {C[depth]}
  store i64 {calls}, ptr %depth.at
  %memory.at = getelementptr i8, ptr %C, i64 {C[memory]}
  %memory = load ptr, ptr %memory.at
  %top.at = getelementptr i8, ptr %C, i64 {C[top]}
  store ptr %memory, ptr %top.at
  %held = call ptr @PyByteArray_AsString(ptr %given)
  call void @changed(ptr %C, ptr %held)
  ret ptr %held
wrong:
  %fault = load ptr, ptr @PyExc_TypeError
  call void @PyErr_SetString(ptr %fault, ptr @no_state)
  ret ptr null
}}
define internal ptr @stopped(ptr %C, i32 %why) noinline {{
  %why.at = getelementptr i8, ptr %C, i64 {C[why]}
  %wide = sext i32 %why to i64
  store i64 %wide, ptr %why.at
  %raises.at = getelementptr i8, ptr %C, i64 {C[raises]}
  %raises = load ptr, ptr %raises.at
  %found = call ptr @PyObject_CallNoArgs(ptr %raises)
  ret ptr null
}}
define ptr @ludex_is_terminal(ptr %self, ptr %given) {{
  %C = call ptr @PyLong_AsVoidPtr(ptr %self)
  %S = call ptr @state_of(ptr %C, ptr %given)
  %none = icmp eq ptr %S, null
  br i1 %none, label %wrong, label %well
well:
  %wait = load i32, ptr %S
  %ends = icmp eq i32 %wait, 0
  %found = select i1 %ends, ptr @_Py_TrueStruct, ptr @_Py_FalseStruct
  call void @Py_IncRef(ptr %found)
  ret ptr %found
wrong:
  ret ptr null
}}
define ptr @ludex_event_ids(ptr %self, ptr %given) {{
  %C = call ptr @PyLong_AsVoidPtr(ptr %self)
  %S = call ptr @state_of(ptr %C, ptr %given)
  %none = icmp eq ptr %S, null
  br i1 %none, label %wrong, label %well
well:
  %found = call {{ ptr, i32 }} @moves(ptr %C, ptr %S)
  %why = extractvalue {{ ptr, i32 }} %found, 1
  %right = icmp eq i32 %why, 0
  br i1 %right, label %list, label %stop
list:
  %events = extractvalue {{ ptr, i32 }} %found, 0
  %short = load i32, ptr %events
  %size = zext i32 %short to i64
  %wide = call i64 @wide(ptr %S)
  %made = call ptr @PyList_New(i64 %size)
  %lost = icmp eq ptr %made, null
  br i1 %lost, label %wrong, label %head
head:
  %at = phi i64 [ 0, %list ], [ %next, %turn ]
  %goes = icmp slt i64 %at, %size
  br i1 %goes, label %turn, label %done
turn:
  %event = call i64 @event(ptr %events, i64 %at, i64 %wide)
  %number = call ptr @PyLong_FromLongLong(i64 %event)
  %set = call i32 @PyList_SetItem(ptr %made, i64 %at, ptr %number)
  %next = add i64 %at, 1
  br label %head
done:
  ret ptr %made
stop:
  %raised = call ptr @stopped(ptr %C, i32 %why)
  ret ptr null
wrong:
  ret ptr null
}}
define ptr @ludex_advance_id(ptr %self, ptr %args, i64 %many) {{
  %C = call ptr @PyLong_AsVoidPtr(ptr %self)
  %two = icmp eq i64 %many, 2
  br i1 %two, label %take, label %bad
bad:
  %fault = load ptr, ptr @PyExc_TypeError
  call void @PyErr_SetString(ptr %fault, ptr @no_event)
  ret ptr null
take:
  %given = load ptr, ptr %args
  %S = call ptr @state_of(ptr %C, ptr %given)
  %none = icmp eq ptr %S, null
  br i1 %none, label %wrong, label %number
number:
  %second.at = getelementptr ptr, ptr %args, i64 1
  %second = load ptr, ptr %second.at
  %id = call i64 @PyLong_AsLongLong(ptr %second)
  %odd = icmp eq i64 %id, -1
  br i1 %odd, label %ask, label %well
ask:
  %fails = call ptr @PyErr_Occurred()
  %clean = icmp eq ptr %fails, null
  br i1 %clean, label %well, label %wrong
well:
  %before = call ptr @new(ptr %C, i64 {size}, i64 1)
  %full = icmp eq ptr %before, null
  br i1 %full, label %stop, label %go
go:
  %kept = call i32 @copied(ptr %C, ptr %before, ptr %S)
  %why = call i32 @applied(ptr %C, ptr %S, i64 %id)
  %right = icmp eq i32 %why, 0
  br i1 %right, label %done, label %back
done:
  call void @Py_IncRef(ptr @_Py_NoneStruct)
  ret ptr @_Py_NoneStruct
back:
  %again = call i32 @copied(ptr %C, ptr %S, ptr %before)
  br label %stop
stop:
  %said = phi i32 [ {memory}, %well ], [ %why, %back ]
  %raised = call ptr @stopped(ptr %C, i32 %said)
  ret ptr null
wrong:
  ret ptr null
}}
"""
"""The functions of the methods. `{C[kind]}` is the offset of a word of the context (`CONTEXT` of `builder.py`).

`@state_of` tests the type and the size of a state, as native code trusts its bytes, and begins a new piece of work.

`PyLong_AsLongLong` returns -1 for a failure, too, so that Python is asked then whether there was one."""
METHODS = {"is_terminal": 0x8, "event_ids": 0x8, "advance_id": 0x80}
"""The calling convention of each method: one object (`METH_O`), or an array of objects (`METH_FASTCALL`)."""


class _Definition(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _Self(int):
    """The `self` of a method: the address of a context. CPython frees it after the method.

    Attributes:
        definition: the definition of the method, to which CPython points.
        keeps: what must live as long as the method: its code, its context.
    """

    def __new__(cls, context: int, definition: _Definition, keeps: tuple[object, ...]) -> _Self:
        made = super().__new__(cls, context)
        made.definition, made.keeps = definition, keeps
        return made

    definition: _Definition
    keeps: tuple[object, ...]


def method(name: str, address: int, context: int, *keeps: object) -> Callable[..., Any]:
    """Wrap a native function as a function of Python. keeps: what must live as long as it."""
    own = _Self(context, _Definition(name.encode(), address, METHODS[name], None), keeps)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, (ctypes.POINTER(_Definition), ctypes.py_object, ctypes.c_void_p)
    return make(ctypes.byref(own.definition), own, None)  # type: ignore[no-any-return]
