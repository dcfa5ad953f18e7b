drop table public.ticket;
drop table public.customer;
drop table public.ticket_state;
