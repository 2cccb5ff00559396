/** The two fields for a new password. People type it twice, because a typing error would lock them out. */
import { said } from "../../messages/said.ts";
import type { FieldParts } from "../../pages/forms.ts";
import type { View } from "../../pages/view.ts";
import { invalid } from "../../problem.ts";

const hidden = { type: "password", autocomplete: "new-password", required: true } as const;

export const newPasswordFields = ({ t }: View): FieldParts[] => [
  { name: "new_password", label: t("password.new"), ...hidden },
  { name: "password_again", label: t("password.again"), ...hidden },
];

/** The password in both fields; 422 if they differ. */
export function newPasswordOf(fields: ReadonlyMap<string, string>): string {
  const chosen = fields.get("new_password") ?? "";
  if (fields.get("password_again") !== chosen)
    throw invalid([{ pointer: "/password_again", detail: said("password.differ") }]);
  return chosen;
}
