// In the head of every page: the last press before the scripts run is repeated once they do.
{
  let pressed = null;
  // From then on React itself handles presses.
  const hasStarted = () => Object.keys(document).some((key) => key.startsWith("_reactListening"));
  const note = ({ target }) => {
    const control = hasStarted() ? null : target.closest("button[type=button]:not([popovertarget]), [data-opens]");
    if (!control) return;
    if (pressed) pressed.ariaBusy = null;
    pressed = control;
    pressed.ariaBusy = "true";
  };
  document.addEventListener("click", note, true);
  window.pressAgain = () => {
    document.removeEventListener("click", note, true);
    if (!pressed) return;
    pressed.ariaBusy = null;
    pressed.click();
    pressed = null;
  };
  // What is painted first waits for the style sheet: the scripts are asked for when that has a start on them.
  const start = (link) => (link.rel = "modulepreload");
  setTimeout(() => document.querySelectorAll("link[rel=later]").forEach(start), 40);
}
