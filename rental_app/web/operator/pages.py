"""The console's pages: the queue of work, one list page, one page of a row."""

from rental_app.web.operator.detail_page import detail_page
from rental_app.web.operator.list_page import list_page
from rental_app.web.operator.state import ConsoleState
from rental_app.web.operator.work_page import work_page
from rental_app.web.operator.work_state import WorkState
from rental_app.web.parts.page import Binding
from rental_app.web.session.operator_auth import OperatorDoorState

_ENTER = OperatorDoorState.enter
BINDINGS = {
    "/operator": Binding(work_page, (_ENTER, WorkState.load), WorkState),
    "/operator/[table_name]": Binding(list_page, (_ENTER, ConsoleState.load_list), ConsoleState),
    "/operator/[table_name]/[row_id]": Binding(detail_page, (_ENTER, ConsoleState.load_row), ConsoleState),
}
