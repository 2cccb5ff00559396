-- Why: who did not change a password or an address has to hear of it, at the address that the account had at that moment.

alter table mail_queue drop constraint mail_queue_kind_check;
alter table mail_queue add constraint mail_queue_kind_check
  check (kind in ('password_reset', 'password_changed', 'email_changed'));

-- Null for a reset, which goes to the address that the account has when the mail is made.
alter table mail_queue add column address text;
alter table mail_queue add constraint mail_queue_address_check
  check ((address is null) = (kind = 'password_reset'));
