// Does to a page what a browser's translation does, but to the words: every text, also one that appears later, makes
// room for two <font> elements that say the same. It begins once the page's scripts have taken over.
{
  const { insertBefore, removeChild } = Node.prototype;
  const LEFT_ALONE = "script, style, noscript, textarea, input, select, title, font, [translate=no]";
  const font = () => Object.assign(document.createElement("font"), { dir: "auto", style: "vertical-align: inherit" });
  const replace = (text) => {
    const parent = text.parentElement;
    if (!/\p{L}/u.test(text.data) || !parent || parent.closest(LEFT_ALONE)) return;
    const [outer, inner] = [font(), font()];
    inner.textContent = text.data;
    outer.append(inner);
    insertBefore.call(parent, outer, text);
    removeChild.call(parent, text);
    window.translatedTexts = (window.translatedTexts ?? 0) + 1;
  };
  const sweep = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) found.push(walker.currentNode);
    found.forEach(replace);
  };
  const hear = (changes) => {
    for (const { addedNodes, target, type } of changes) {
      if (type === "characterData") replace(target);
      for (const node of addedNodes)
        if (node.nodeType === 3) replace(node);
        else if (node.nodeType === 1) sweep(node);
    }
  };
  const isTaken = (node) => Object.keys(node).some((key) => key.startsWith("__reactProps"));
  const begin = () => {
    const parts = [...document.querySelectorAll("nav, main, footer, [data-slot]")];
    if (document.readyState !== "complete" || !parts.length || !parts.every(isTaken)) return setTimeout(begin, 50);
    sweep(document.body);
    new MutationObserver(hear).observe(document.body, { childList: true, characterData: true, subtree: true });
  };
  if (location.protocol.startsWith("http")) begin();
}
