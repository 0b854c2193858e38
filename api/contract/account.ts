import type { FromSchema } from 'json-schema-to-ts';
import { limits } from './limits.ts';
import { maybeText, moment } from './scalars.ts';

/** The signed-in person, as only that person sees it. The password never leaves the server in any form. */
export const userSchema = {
  $id: 'User',
  type: 'object',
  required: ['id', 'username', 'email', 'firstName', 'lastName', 'profileImageUrl', 'createdAt', 'updatedAt'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    username: { type: 'string' },
    email: maybeText,
    firstName: maybeText,
    lastName: maybeText,
    profileImageUrl: maybeText,
    createdAt: moment,
    updatedAt: moment,
  },
} as const;
export type User = FromSchema<typeof userSchema>;

export const loginSchema = {
  $id: 'Login',
  type: 'object',
  required: ['username', 'password'],
  additionalProperties: false,
  properties: {
    username: { type: 'string', minLength: 1, maxLength: 254 },
    password: { type: 'string', minLength: 1, maxLength: limits.passwordMax },
  },
} as const;
export type Login = FromSchema<typeof loginSchema>;

export const registrationSchema = {
  $id: 'Registration',
  type: 'object',
  required: ['username', 'password'],
  additionalProperties: false,
  properties: {
    username: {
      type: 'string',
      minLength: limits.usernameMin,
      maxLength: limits.usernameMax,
      pattern: '^[A-Za-z0-9_.-]+$',
    },
    password: { type: 'string', minLength: limits.passwordMin, maxLength: limits.passwordMax },
    email: { type: 'string', format: 'email', maxLength: 254 },
    firstName: { type: 'string', maxLength: 100 },
    lastName: { type: 'string', maxLength: 100 },
  },
} as const;
export type Registration = FromSchema<typeof registrationSchema>;
