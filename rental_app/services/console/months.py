"""The Indian month of an instant in SQL, which the two databases spell differently."""

from typing import Any

from sqlalchemy import Integer
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import GenericFunction


class indian_month(GenericFunction[int]):
    """The number of a month such as 202611."""

    type = Integer()
    inherit_cache = True


@compiles(indian_month, "sqlite")
def _sqlite(element: Any, compiler: Any, **options: Any) -> str:
    return f"CAST(strftime('%Y%m', {compiler.process(element.clauses, **options)}, '+330 minutes') AS INTEGER)"


@compiles(indian_month, "postgresql")
def _postgresql(element: Any, compiler: Any, **options: Any) -> str:
    instant = compiler.process(element.clauses, **options)
    return f"CAST(to_char({instant} AT TIME ZONE 'Asia/Kolkata', 'YYYYMM') AS INTEGER)"
