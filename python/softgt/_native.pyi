"""The extension module: softgt's C interface as cffi gives it. The headers document it."""

from typing import Any, Callable, TypeVar

_F = TypeVar("_F", bound=Callable[..., Any])

class FFI:
    def def_extern(self) -> Callable[[_F], _F]: ...
    def __getattr__(self, name: str) -> Any: ...

ffi: FFI
lib: Any
