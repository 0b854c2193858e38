import { loginSchema, registrationSchema, userSchema } from './account.ts';
import type { Endpoint } from './endpoint.ts';
import { routes } from './routes.ts';
import { profileSchema } from './profile.ts';

/** Signing in and out, and what a member did. */
export const accountEndpoints = {
  user: {
    ...routes.user,
    summary: 'The signed-in user; 401 when signed out',
    status: 200,
    response: userSchema,
    errors: ['UNAUTHENTICATED'],
  },
  login: {
    ...routes.login,
    summary: 'Sign in; the session id changes',
    body: loginSchema,
    status: 200,
    response: userSchema,
    errors: ['INVALID_CREDENTIALS'],
  },
  register: {
    ...routes.register,
    summary: 'Make an account and sign in',
    body: registrationSchema,
    status: 201,
    response: userSchema,
    errors: ['USERNAME_TAKEN', 'EMAIL_TAKEN'],
  },
  logout: {
    ...routes.logout,
    summary: 'Destroy the session',
    status: 204,
    errors: [],
  },
  profile: {
    ...routes.profile,
    summary: 'Profile, activities, polls and badges of the signed-in user',
    status: 200,
    response: profileSchema,
    errors: ['UNAUTHENTICATED'],
  },
} as const satisfies Record<string, Endpoint>;
