"""JSON Schema of our records, from `msgspec.inspect`. Money and odds are strings, as in the JSON that is sent."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import inspect as mi

from punto.money import Cents

REF: Final = "#/components/schemas/"
AMOUNT_IN: Final = {"type": "string", "pattern": r"^(0|[1-9][0-9]{0,12})(\.[0-9]{1,2})?$", "examples": ["100.00"]}
AMOUNT_OUT: Final = {"type": "string", "pattern": r"^-?[0-9]+\.[0-9]{2}$", "examples": ["100.00"]}


class Shapes:
    """Collects a component for every record that it meets. `incoming`: what clients send, with bounds."""

    def __init__(self, *, incoming: bool) -> None:
        self.incoming = incoming
        self.components: dict[str, Any] = {}

    def of(self, kind: Any) -> dict[str, Any]:
        return self._shape(mi.type_info(kind))

    def _shape(self, kind: mi.Type) -> dict[str, Any]:
        match kind:
            case mi.Metadata():
                return {**self._shape(kind.type), **(kind.extra_json_schema or {})}
            case mi.ListType() | mi.VarTupleType() | mi.FrozenSetType() | mi.SetType():
                most = kind.max_length or (64 if self.incoming else None)
                return _clean(type="array", items=self._shape(kind.item_type), minItems=kind.min_length, maxItems=most)
            case mi.TupleType():
                items = [self._shape(item) for item in kind.item_types]
                return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
            case mi.DictType():
                return {"type": "object", "additionalProperties": self._shape(kind.value_type)}
            case mi.UnionType():
                return {"anyOf": [self._shape(item) for item in kind.types]}
            case mi.StructType():
                return self._struct(kind)
            case _:
                return self._plain(kind)

    def _plain(self, kind: mi.Type) -> dict[str, Any]:
        """A type that contains no other."""
        match kind:
            case mi.NoneType():
                return {"type": "null"}
            case mi.BoolType():
                return {"type": "boolean"}
            case mi.IntType():
                return self._integer(kind)
            case mi.FloatType():
                return _clean(type="number", minimum=kind.ge, maximum=kind.le)
            case mi.StrType():
                return self._text(kind)
            case mi.EnumType():
                return {"type": "string", "enum": [member.value for member in kind.cls]}
            case mi.CustomType():
                money = AMOUNT_IN if self.incoming else AMOUNT_OUT
                return dict(money) if kind.cls is Cents else {"type": "string"}
            case _:
                return {}

    def _integer(self, kind: mi.IntType) -> dict[str, Any]:
        least, most = kind.ge, kind.le
        if self.incoming:
            least, most = (-(10**9) if least is None else least), (10**9 if most is None else most)
        return _clean(type="integer", minimum=least, maximum=most)

    def _text(self, kind: mi.StrType) -> dict[str, Any]:
        most = kind.max_length
        if most is None and kind.pattern is None and self.incoming:
            most = 64
        return _clean(type="string", pattern=kind.pattern, minLength=kind.min_length, maxLength=most)

    def _struct(self, kind: mi.StructType) -> dict[str, Any]:
        name = kind.cls.__name__
        if name not in self.components:
            self.components[name] = {}
            self.components[name] = self._record(kind)
        return {"$ref": REF + name}

    def _record(self, kind: mi.StructType) -> dict[str, Any]:
        properties: dict[str, Any] = {}
        required = []
        if kind.tag_field is not None:
            properties[kind.tag_field] = {"const": kind.tag, "type": "string"}
            required.append(kind.tag_field)
        for field in kind.fields:
            properties[field.encode_name] = self._shape(field.type)
            # A field that may be unset is neither required nor has it a default.
            unset = field.default is msgspec.NODEFAULT and field.default_factory is msgspec.NODEFAULT
            left_out = self.incoming or kind.cls.__struct_config__.omit_defaults or unset
            if field.required or not left_out:
                required.append(field.encode_name)
        shape: dict[str, Any] = {"type": "object", "properties": properties, "required": required}
        if kind.forbid_unknown_fields:
            shape["additionalProperties"] = False
        about = (kind.cls.__doc__ or "").strip()
        return {"description": about, **shape} if about else shape


def _clean(**facts: Any) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if value is not None and value is not msgspec.UNSET}
