import { loginSchema, registrationSchema, userSchema } from './account.ts';
import type { Endpoint } from './endpoint.ts';
import { profileSchema } from './profile.ts';

/** Signing in and out, and what a member did. */
export const accountEndpoints = {
  user: {
    method: 'GET',
    path: '/api/user',
    summary: 'The signed-in user; 401 when signed out',
    status: 200,
    response: userSchema,
    errors: ['UNAUTHENTICATED'],
    cache: 'none',
  },
  login: {
    method: 'POST',
    path: '/api/login',
    summary: 'Sign in; the session id changes',
    body: loginSchema,
    status: 200,
    response: userSchema,
    errors: ['INVALID_CREDENTIALS'],
    cache: 'none',
  },
  register: {
    method: 'POST',
    path: '/api/register',
    summary: 'Make an account and sign in',
    body: registrationSchema,
    status: 201,
    response: userSchema,
    errors: ['USERNAME_TAKEN', 'EMAIL_TAKEN'],
    cache: 'none',
  },
  logout: {
    method: 'POST',
    path: '/api/logout',
    summary: 'Destroy the session',
    status: 204,
    errors: [],
    cache: 'none',
  },
  profile: {
    method: 'GET',
    path: '/api/user/profile',
    summary: 'Profile, activities, polls and badges of the signed-in user',
    status: 200,
    response: profileSchema,
    errors: ['UNAUTHENTICATED'],
    cache: 'none',
  },
} as const satisfies Record<string, Endpoint>;
