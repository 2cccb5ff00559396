/** Operations on the accounts of administrators. */
import { z } from "zod";
import { normalisePassword } from "../accounts/passwords/passwords.ts";
import { findAccountByEmail } from "../accounts/store.ts";
import { resetAdmin } from "../staff/admin-reset.ts";
import { listAdministrators } from "../staff/user-store.ts";
import { Nothing, operation } from "./operation.ts";

const Reset = z.strictObject({ id: z.uuid(), email: z.string(), enable: z.boolean() });
const Credentials = z.strictObject({ email: z.string(), password: z.string() });

export type Administrator = {
  id: string;
  email: string;
  role: string;
  disabled: boolean;
  must_change_password: boolean;
};

export const accountOperations = {
  administrators: operation(Nothing, async ({ sql }): Promise<Administrator[]> => {
    const all = await listAdministrators(sql);
    return all.map(({ id, email, role, disabled, must_change_password }) => {
      return { id, email, role, disabled, must_change_password };
    });
  }),
  /** The new password. */
  "reset-admin": operation(Reset, (services, { enable, ...account }) =>
    resetAdmin(services, account, { enable }),
  ),
  "has-password": operation(Credentials, async ({ sql, passwords }, { email, password }) => {
    const account = await findAccountByEmail(sql, email);
    return account !== undefined && passwords.verify(normalisePassword(password), account.password_hash);
  }),
};
