// What keeps people from reaching or reading parts of a page: each complaint is one line.
(() => {
  const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=option], [role=switch], [tabindex='0']";
  const SMALLEST = 24;

  const name = (element) => {
    const text = element.getAttribute("aria-label") || element.innerText || element.name || element.id || "";
    return `${element.tagName.toLowerCase()}.${String(element.className).slice(0, 60)} "${text.trim().slice(0, 40)}"`;
  };
  const box = (element) => element.getBoundingClientRect();
  const drawn = (element) => {
    const { width, height } = box(element);
    return width > 2 && height > 2 && element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
  };
  const all = (selector) => [...document.querySelectorAll(selector)].filter(drawn);
  const inside = (element, test) => {
    for (let at = element; at && at !== document.body; at = at.parentElement) if (test(getComputedStyle(at), at)) return at;
    return null;
  };
  const scrolls = (style) => /auto|scroll/.test(style.overflowX);
  const clips = (style) => /hidden|clip|auto|scroll/.test(style.overflowX);
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());

  function tooWide() {
    const width = document.documentElement.clientWidth;
    const wide = document.documentElement.scrollWidth > width ? [`the page is ${document.documentElement.scrollWidth} wide`] : [];
    const out = all("body *").filter((element) => {
      const { left, right } = box(element);
      return (right > width + 1 || left < -1) && !inside(element.parentElement, clips);
    });
    return [...wide, ...out.map((element) => `out of sight: ${name(element)}`)];
  }

  // Amounts, plates and references that stand alone, which a translation must not write in another way.
  const AS_WRITTEN = /^([-+]?₹[\d,.]+|[A-Z]{2}\d{2}[A-Z]{1,3}\d{1,4}|PH-\w+)$/;

  function translatable() {
    return all("body *").flatMap((element) => [...element.childNodes].filter((node) =>
      node.nodeType === 3 && AS_WRITTEN.test(node.data.trim()) && !element.closest("[translate=no], option, script, style")))
      .map(({ data }) => `may be translated: ${data}`);
  }

  function cutOff() {
    return all("body *").filter((element) => {
      const style = getComputedStyle(element);
      if (!hasText(element) || style.display === "inline" || element.dataset.mayBeCut === "") return false;
      const across = clips(style) && !scrolls(style) && element.scrollWidth > element.clientWidth + 1;
      const down = /hidden|clip/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 2;
      return across || down;
    }).map((element) => `cut off: ${name(element)}`);
  }

  function unnamedScrollers() {
    return all("body *").filter((element) =>
      scrolls(getComputedStyle(element)) && element.scrollWidth > element.clientWidth + 1
      && !(element.tabIndex === 0 && (element.ariaLabel || element.getAttribute("aria-labelledby"))))
      .map((element) => `scrolls sideways, but not by keyboard or without a name: ${name(element)}`);
  }

  // A label is as good to press as its control.
  const pressable = (control) => [control, ...(control.labels ?? [])];
  const inText = (control) =>
    control.tagName === "A" && getComputedStyle(control).display === "inline" && hasText(control.parentElement);
  const shownControls = () => all(CONTROLS).filter((control) => !control.closest("[aria-hidden=true], [inert]"));

  function tooSmall() {
    return shownControls().filter((control) => !inText(control) && !pressable(control).some((part) => {
      const { width, height } = box(part);
      return width >= SMALLEST && height >= SMALLEST;
    })).map((control) => `${box(control).width.toFixed()} x ${box(control).height.toFixed()}: ${name(control)}`);
  }

  function covered() {
    return shownControls().filter((control) => !control.disabled && !pressable(control).some((part) => {
      part.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      const { left, top, width, height } = box(part);
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      // What comes and goes by itself, or was opened over the page, may cover it.
      const above = hit?.closest("[role=dialog], [data-sonner-toaster]");
      if (above && !above.contains(part)) return true;
      return hit && (part.contains(hit) || hit.contains(part) || pressable(control).some((other) => other.contains(hit)));
    })).map((control) => `covered: ${name(control)}`);
  }

  window.reach = { tooWide, translatable, cutOff, unnamedScrollers, tooSmall, covered };
})();
