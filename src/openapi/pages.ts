/**
 * The pages /api/docs and /api/redoc. They load everything from this service, at relative addresses, so that they
 * also work behind a proxy that adds a path prefix.
 */
import { SwaggerUI } from "@hono/swagger-ui";
import { html, raw } from "hono/html";
import type { Config } from "../config/read.ts";

/** Part of the addresses of the files, so that these can be cached for ever. */
export const ASSET_VERSIONS: Readonly<Record<string, string>> = {
  "swagger-ui-dist": "5.35.0",
  redoc: "2.5.4",
};

const ASSETS = "docs/assets";
const REDOC = `${ASSETS}/redoc@${ASSET_VERSIONS.redoc}/redoc.standalone.js`;
const ICON = `${ASSETS}/swagger-ui-dist@${ASSET_VERSIONS["swagger-ui-dist"]}/favicon-32x32.png`;

/** Swagger UI. */
export function docsPage(nonce: string): string {
  const options = {
    url: "../openapi.json",
    dom_id: "#page",
    deepLinking: true,
    docExpansion: "none",
    filter: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    // by default, Swagger UI sends the document to its maker for validation
    validatorUrl: null,
  };
  const body = SwaggerUI({
    url: options.url,
    baseUrl: ASSETS,
    version: ASSET_VERSIONS["swagger-ui-dist"]!,
    manuallySwaggerUIHtml: ({ css, js }) => `
      ${css.map((address) => html`<link rel="stylesheet" href="${address}">`).join("\n")}
      <div id="page"></div>
      ${js.map((address) => html`<script nonce="${nonce}" src="${address}"></script>`).join("\n")}
      <script nonce="${nonce}">SwaggerUIBundle(${JSON.stringify(options)});</script>`,
  });
  return page(nonce, "API", body);
}

const FONT = "system-ui, sans-serif";

export function redocPage(nonce: string): string {
  const options = {
    // its style sheets are created in the browser
    nonce,
    nativeScrollbars: true,
    expandResponses: "200,201",
    theme: {
      // its default fonts come from another server
      typography: {
        fontFamily: FONT,
        headings: { fontFamily: FONT },
        code: { fontFamily: "ui-monospace, monospace" },
      },
    },
  };
  return page(
    nonce,
    "API reference",
    `<div id="page"></div>
    ${html`<script nonce="${nonce}" src="${REDOC}"></script>`}
    <script nonce="${nonce}">
      Redoc.init("../openapi.json", ${JSON.stringify(options)}, document.getElementById("page"));
    </script>`,
  );
}

function page(nonce: string, title: string, body: string): string {
  return String(html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · Collections catalogue</title>
    <link rel="icon" href="${ICON}">
    <style nonce="${nonce}">body { margin: 0; }</style>
  </head>
  <body>
    ${raw(body)}
    <noscript>This page needs JavaScript; <a href="../openapi.json">openapi.json</a> does not.</noscript>
  </body>
</html>
`);
}

/** Hashes of the style sheets that Redoc adds while loading, before it knows the nonce: an empty one, and its own. */
const REDOC_STYLES = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='",
];

/** Only scripts and styles with the page's nonce; requests only to this service. */
export function pageHeaders(nonce: string, config: Config): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}' ${REDOC_STYLES.join(" ")}`,
    "img-src 'self' data:",
    // the page may have been opened under another name than the server in the description
    `connect-src 'self' ${new URL(config.baseUrl).origin}`,
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy.join("; "),
    "Cache-Control": "no-store",
  };
}
