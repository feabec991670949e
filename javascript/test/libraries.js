// The product's scripts find libraries where they are bundled; in tests, those that they are checked against.
import { registerHooks } from "node:module";

const HERE = { parentURL: import.meta.url };
registerHooks({
  resolve: (name, about, next) =>
    next(name, name.startsWith(".") || name.startsWith("file:") ? about : { ...about, ...HERE }),
});
