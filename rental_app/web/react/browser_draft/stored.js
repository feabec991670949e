// What the tab keeps of a form over a reload. A logout forgets all keys that begin with "draft-".
export const storedDraft = (key) => JSON.parse(sessionStorage.getItem(key) ?? "null");
export const storeDraft = (key, content) => sessionStorage.setItem(key, JSON.stringify(content));
