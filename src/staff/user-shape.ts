/** Accounts as administrators write and read them, without passwords; only the answer to POST has the generated one. */

import { z } from "zod";
import { emailKey } from "../accounts/email.ts";
import { NameShape } from "../accounts/own-name.ts";
import { PasswordShape, SHORTEST_PASSWORD } from "../accounts/passwords/passwords.ts";
import { listOf, pageQuery } from "../http/answer/list-envelope.ts";
import { said, toldText } from "../messages/said.ts";
import { IdShape } from "../records/shape.ts";
import { isStorable } from "../text.ts";
import { shownBy, tooLong } from "../vocabularies/shape.ts";

/** Two parts around one @, without blanks, control characters and the separators of mail headers. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{Cs}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{Cs}]{1,189}$/u;

const NO_TEXT = toldText(said("fault.text.unstorable"));

export const EmailShape = z
  .string()
  .trim()
  .max(254, { error: tooLong(254), abort: true })
  .refine((email) => ADDRESS.test(email) && ADDRESS.test(emailKey(email)), toldText(said("fault.email")))
  .openapi({
    example: "jo@museum.example",
    description: "One account per address, ignoring capitals and full-width letters",
  });

const RoleNameShape = z
  .string()
  .max(63)
  .refine(isStorable, NO_TEXT)
  .openapi({ example: "cataloger", description: "See /v1/roles" });

const InitialPasswordShape = PasswordShape.openapi({
  description: `At least ${SHORTEST_PASSWORD} characters`,
});

const user = {
  id: IdShape,
  email: z.string(),
  display_name: z.string(),
  role: z.string(),
  disabled: z.boolean().openapi({ description: "true: the account cannot sign in" }),
  must_change_password: z.boolean(),
  last_login_at: z.string().nullable(),
  created_at: z.string(),
};

export const UserShape = z.object(user).openapi("User");
export const NewUserShape = z
  .object({
    ...user,
    password: z.string().optional().openapi({
      description: "The generated password, if none was given; shown only once",
    }),
  })
  .openapi("NewUser");
export const UserListShape = listOf(UserShape).openapi("UserList");

export const UserDraftShape = z
  .strictObject({
    email: EmailShape,
    display_name: NameShape.default(""),
    role: RoleNameShape,
    password: InitialPasswordShape.optional(),
  })
  .openapi("UserDraft");

export const UserChangeShape = z
  .strictObject({
    email: EmailShape.optional(),
    display_name: NameShape.optional(),
    role: RoleNameShape.optional(),
    disabled: z.boolean().optional(),
    must_change_password: z.boolean().optional(),
    password: InitialPasswordShape.optional().openapi({
      description: "A temporary password, which must be changed at the next sign-in",
    }),
  })
  .openapi("UserChange", { description: "Members that are left out do not change" });

export type UserDraft = z.output<typeof UserDraftShape>;
export type UserChange = z.output<typeof UserChangeShape>;
export type User = z.output<typeof UserShape>;

export const UserQuery = z.strictObject({
  ...pageQuery,
  role: z.string().max(63).refine(isStorable, NO_TEXT).optional(),
  disabled: z.enum(["true", "false"]).optional(),
  q: z
    .string()
    .trim()
    .max(500)
    .refine(isStorable, NO_TEXT)
    .optional()
    .openapi({ description: "Part of the address or name, ignoring case and accents" }),
});

export const userJson = shownBy(UserShape);
