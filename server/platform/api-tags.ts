import type { ApiTag } from '../http/endpoint/api-tag.ts';

export const sessionsTag: ApiTag = { name: 'sessions', description: 'Signing in and out' };

export const tokensTag: ApiTag = {
  name: 'tokens',
  description: 'Short-lived tokens for other services',
};

export const discoveryTag: ApiTag = {
  name: 'discovery',
  description: 'Keys to verify the tokens that the server issues',
};

export const documentsTag: ApiTag = { name: 'documents', description: 'Documents and files' };

export const webhooksTag: ApiTag = {
  name: 'webhooks',
  description: 'Endpoints for providers, event triggers and schedules',
};
