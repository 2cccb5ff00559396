-- Why: people see a list with the columns that they chose last, in every browser.

create table list_columns (
  account_id uuid not null references accounts (id) on delete cascade,
  record_type text not null,
  columns text[] not null,
  primary key (account_id, record_type)
);
