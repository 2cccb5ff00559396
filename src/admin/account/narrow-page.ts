/** The frame of the pages on which people sign in or choose a password, and the field that several of them have. */
import { html } from "hono/html";
import type { MessageKey } from "../../messages/translate.ts";
import type { FieldParts } from "../../pages/forms.ts";
import { type PageParts, pageAnswer } from "../../pages/page.ts";
import type { Html, PageView, View } from "../../pages/view.ts";

export const NO_STORE = { "Cache-Control": "no-store" };

export function narrowPage(
  view: PageView,
  heading: MessageKey,
  content: Html,
  more: Pick<PageParts, "head" | "headers" | "status">,
): Promise<Response> {
  const title = view.t(heading);
  return pageAnswer(view, {
    ...more,
    title,
    content: html`<section class="stack narrow">
      <h1>${title}</h1>
      ${content}
    </section>`,
  });
}

export const emailField = ({ t }: View, value = ""): FieldParts => ({
  name: "email",
  label: t("signIn.email"),
  type: "email",
  value,
  autocomplete: "username",
  required: true,
});
