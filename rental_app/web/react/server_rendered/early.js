// In the head of every page: colours it, and repeats the last choice and press made before the scripts, once they run.
{
  const root = document.documentElement;
  let theme = "system";
  try {
    theme = localStorage.getItem("theme") || theme;
  } catch {
    // Without storage nobody has chosen.
  }
  if (theme === "system") theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  root.classList.add(theme);
  root.style.colorScheme = theme;
  let pressed = null;
  let chosen = null;
  // From then on React itself handles presses.
  const hasStarted = () => Object.keys(document).some((key) => key.startsWith("_reactListening"));
  const waiting = "[type=button]:not([popovertarget]), [data-opens], [data-waits] [type=submit]";
  const note = (event) => {
    const control = hasStarted() ? null : event.target.closest(waiting);
    if (!control) return;
    // A form that only scripts can send (`data-waits`) would lose its page's address.
    if (control.form) event.preventDefault();
    if (pressed) pressed.ariaBusy = null;
    pressed = control;
    pressed.ariaBusy = "true";
  };
  const noteChoice = ({ target }) => {
    if (target.options && !hasStarted()) chosen = target;
  };
  document.addEventListener("click", note, true);
  document.addEventListener("change", noteChoice, true);
  // For a part of the page that is replaced before that (server_rendered.jsx).
  window.pressedEarly = () => pressed;
  window.pressAgain = () => {
    document.removeEventListener("click", note, true);
    document.removeEventListener("change", noteChoice, true);
    chosen?.dispatchEvent(new Event("change", { bubbles: true }));
    if (!pressed) return;
    pressed.ariaBusy = null;
    pressed.click();
    pressed = null;
  };
  // A page shows its bar alone (ssr/first.css) until the style sheet has come, or failed to.
  const first = document.querySelector("[data-first]");
  const show = ({ target }) => {
    if (target.media !== "print") return;
    target.media = "all";
    first.remove();
    delete root.dataset.bare;
    // There was nothing to scroll to when the browser and the router tried, and what is further down waits (site.css).
    const goal = document.getElementById(location.hash.slice(1));
    const place = JSON.parse(sessionStorage.getItem("react-router-scroll-positions"))?.[history.state?.key];
    if (goal || place) root.dataset.whole = "";
    goal?.scrollIntoView();
    if (place) scrollTo(0, place);
  };
  if (first) {
    root.dataset.bare = "";
    for (const kind of ["load", "error"]) document.addEventListener(kind, show, true);
  }
  // What is painted first waits for the style sheet: the scripts are asked for when that has a start on them.
  const start = (link) => (link.rel = "modulepreload");
  setTimeout(() => document.querySelectorAll("link[rel=later]").forEach(start), 40);
}
