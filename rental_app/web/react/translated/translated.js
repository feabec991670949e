// Lets pages go on under a browser's translation: it puts a <font> of its own into the place of each text, and React,
// which knows nothing of that, goes on writing to the text that was there, removing it and placing others before it.
// Whatever React touches is first put back, with the texts beside it, whose words the translation may have moved; the
// translation finds them as new ones, and translates what they say now.
// What is an amount or a booking's reference and nothing else is marked as not to be translated.

const AS_WRITTEN = /^[-+]?₹[\d,.]+$|^PH-\w+$/;
const fonts = new WeakMap();
const texts = new WeakMap();
const marked = new WeakSet();

function mark(text) {
  const around = text.parentElement;
  if (around?.childNodes.length !== 1) return;
  if (AS_WRITTEN.test(text.data.trim())) {
    marked.add(around);
    around.setAttribute("translate", "no");
  } else if (marked.delete(around)) around.removeAttribute("translate");
}

function markAll(node) {
  if (node.nodeType === 3) return mark(node);
  const within = document.createTreeWalker(node, 4);
  while (within.nextNode()) mark(within.currentNode);
}

/** Notes which text a <font> that is new stands for. */
function note(changes) {
  for (const { removedNodes, addedNodes, previousSibling, nextSibling } of changes) {
    addedNodes.forEach(markAll);
    for (const text of removedNodes) {
      const beside = [...addedNodes, previousSibling, nextSibling];
      const font = text.nodeType === 3 && beside.find((node) => node?.localName === "font" && !texts.has(node));
      if (!font) continue;
      fonts.set(text, font);
      texts.set(font, text);
    }
  }
}

if (typeof document !== "undefined") {
  const seen = new MutationObserver(note);
  seen.observe(document, { childList: true, subtree: true });
  markAll(document);

  /** Puts a text back that was translated, and those beside it. */
  const restore = (node) => {
    note(seen.takeRecords());
    for (const font of [...(fonts.get(node)?.parentNode?.children ?? [])]) {
      const text = texts.get(font);
      if (!text) continue;
      texts.delete(font);
      fonts.delete(text);
      font.replaceWith(text);
    }
  };

  const tree = Node.prototype;
  const { appendChild, insertBefore, removeChild } = tree;
  tree.appendChild = function (node) {
    restore(node);
    return appendChild.call(this, node);
  };
  tree.insertBefore = function (node, before) {
    restore(node);
    restore(before);
    // Translations put elements into theirs, too.
    let next = before;
    while (next && next.parentNode !== this) next = next.parentNode;
    return insertBefore.call(this, node, next);
  };
  tree.removeChild = (node) => {
    restore(node);
    return node.parentNode ? removeChild.call(node.parentNode, node) : node;
  };
  const value = Object.getOwnPropertyDescriptor(tree, "nodeValue");
  Object.defineProperty(tree, "nodeValue", {
    ...value,
    set(text) {
      restore(this);
      value.set.call(this, text);
      if (this.nodeType === 3) mark(this);
    },
  });
}
