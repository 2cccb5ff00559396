/** Gives Node the files of a bundle that is not in its place (`bundle.mjs`). */
let base;
let files;

export function initialize(data) {
  ({ base, files } = data);
}

export function resolve(specifier, context, next) {
  const isFile = /^(\.|file:)/.test(specifier);
  const url = isFile ? new URL(specifier, context.parentURL).href : "";
  return url.startsWith(base) ? { url, shortCircuit: true } : next(specifier, context);
}

export function load(url, context, next) {
  const source = url.startsWith(base) ? files.get(url.slice(base.length)) : undefined;
  return source === undefined ? next(url, context) : { format: "module", source, shortCircuit: true };
}
