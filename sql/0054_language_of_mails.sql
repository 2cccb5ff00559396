-- Why: a mail is in the language of whoever caused it.
alter table mail_queue add column language text not null default 'en';
