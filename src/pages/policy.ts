/**
 * A page loads files only from this service, runs only scripts with its nonce, and cannot be framed. The viewer of 3D models also
 * unpacks textures into blobs and compiles its decoders, one of them in a worker.
 */
export const pageHeaders = (nonce: string, hasModels: boolean) => ({
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'${hasModels ? " 'wasm-unsafe-eval'" : ""}`,
    ...(hasModels ? ["worker-src blob:"] : []),
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    `img-src 'self' data:${hasModels ? " blob:" : ""}`,
    "media-src 'self'",
    `connect-src 'self'${hasModels ? " blob:" : ""}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
});
