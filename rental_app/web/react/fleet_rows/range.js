/**
 * The ids to select or to leave out after a press on one of them: with Shift all from the one pressed before, in the
 * order they are shown in.
 */
export function pressed(shown, before, id, isRange) {
  const [from, to] = [shown.indexOf(before), shown.indexOf(id)];
  if (!isRange || from < 0 || to < 0) return [id];
  return shown.slice(Math.min(from, to), Math.max(from, to) + 1);
}

/** Which of the selected ids still match, in the order of those that do. */
export const remaining = (chosen, ids) => ids.filter((id) => chosen.has(id));
