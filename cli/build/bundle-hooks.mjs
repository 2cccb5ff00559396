/** Hooks that let Node import the files of a bundle from memory (`bundle.mjs`). */
export const hooksOf = ({ base, files }) => ({
  resolve(specifier, context, next) {
    const isFile = /^(\.|file:)/.test(specifier);
    const url = isFile ? new URL(specifier, context.parentURL).href : "";
    return url.startsWith(base) ? { url, shortCircuit: true } : next(specifier, context);
  },
  load(url, context, next) {
    const source = url.startsWith(base) ? files.get(url.slice(base.length)) : undefined;
    return source === undefined ? next(url, context) : { format: "module", source, shortCircuit: true };
  },
});

let hooks;

/** Called in the thread in which older versions of Node run hooks. */
export function initialize(data) {
  hooks = hooksOf(data);
}

export const resolve = (...args) => hooks.resolve(...args);
export const load = (...args) => hooks.load(...args);
