/** A schema of employees, with their salaries and with notes that their bosses write. */
export const schema = `
create table department (id int primary key, name text not null);
create table employee (
  id int primary key, name text not null unique, salary int not null, grade int not null default 1,
  note text, department_id int references department, boss_id int not null);
create table review (id int primary key, employee_id int not null references employee, stars int not null);
create function yearly(employee) returns int language sql stable as $$ select $1.salary * 12 $$;`;

export const people = `
insert into department values (1, 'sales'), (2, 'stock');
insert into employee (id, name, salary, note, department_id, boss_id) values
  (1, 'Ann', 100, 'good', 1, 9), (2, 'Ben', 200, 'slow', 2, 9), (3, 'Cid', 300, 'late', 1, 8), (4, 'Dee', 400, 'new', 2, 1);
insert into review values (1, 1, 5), (2, 2, 3), (3, 3, 1);`;

/** Employees see their own salary, bosses see notes about their staff, and some employees are both. */
export const metadata = {
  'roles.yaml': `roles:
  self: { purpose: sees its own pay }
  boss: { purpose: sees what is noted of its people }
  anyone: { purpose: sees all names }
  staff: { inherits: [self, boss], purpose: is both }
  staff_and_anyone: { inherits: [staff, anyone] }
  own_rule: { inherits: [self, boss] }
  payer: { purpose: sees what one earns alone }
  noter: { purpose: notes what it sees nothing else of }
  apart: { inherits: [payer, noter], purpose: sees no column in every row }
`,
  'tables/department.yaml': `table: department
permissions:
  self: { select: { filter: {}, columns: [id, name] } }
`,
  'tables/employee.yaml': `table: employee
computed_fields:
  yearly: { function: yearly }
permissions:
  self:
    select: { filter: { id: X-Gql-User-Id }, columns: [id, name, salary, department_id], computed_fields: [yearly], limit: 1 }
    insert: { check: {}, columns: '*' }
  boss:
    select: { filter: { boss_id: X-Gql-Boss-Id }, columns: [id, name, note, grade], allow_aggregations: true, limit: 3 }
    insert: { check: {}, columns: '*' }
    update: { filter: { boss_id: X-Gql-Boss-Id }, columns: [note, grade, salary, name] }
    delete: { filter: { boss_id: X-Gql-Boss-Id } }
  anyone:
    select: { filter: {}, columns: [name] }
    delete: { filter: { name: nobody } }
  own_rule:
    select: { filter: { name: Cid }, columns: [name] }
  payer: { select: { filter: { id: X-Gql-User-Id }, columns: [salary] } }
  noter:
    select: { filter: { boss_id: X-Gql-Boss-Id }, columns: [note] }
    insert: { check: {}, columns: '*' }
    update: { filter: {}, columns: [note] }
`,
  'tables/review.yaml': `table: review
permissions:
  boss: { select: { filter: {}, columns: [id, employee_id, stars], allow_aggregations: true } }
`,
};
