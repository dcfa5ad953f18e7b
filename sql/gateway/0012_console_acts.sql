-- People whom an application has signed in can use the console, and its acts change rows of the application.
alter table rowgate.admin_use add column person text;
comment on column rowgate.admin_use.actor is 'The person or program. With the admin secret, it names itself, and nothing verifies the name. A person whom an application has signed in has the name and the id that the application knows.';
comment on column rowgate.admin_use.person is 'The id of a person whom an application has signed in; null for uses of the admin secret.';
comment on column rowgate.admin_use.subject is 'The event, event trigger, schedule or mail that was asked about, as the request named it, or the ids of the rows in a section of an application that were looked into or changed.';
