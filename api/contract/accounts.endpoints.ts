import {
  loginSchema,
  passwordChangeSchema,
  registrationSchema,
  userChangeSchema,
  userDeletionSchema,
  userSchema,
  userSummarySchema,
} from './account.ts';
import type { Endpoint } from './endpoint.ts';
import { routes } from './routes.ts';
import { userExportSchema } from './profile.ts';

/** Signing in and out, and what is kept about a member. */
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
    errors: ['INVALID_CREDENTIALS', 'RATE_LIMITED', 'OVERLOADED'],
  },
  loginPage: {
    ...routes.loginPage,
    summary: 'Leads to the page where people sign in; `next`, a path of this site, is kept',
    status: 302,
    errors: [],
  },
  register: {
    ...routes.register,
    summary: 'Create an account and sign in',
    body: registrationSchema,
    status: 201,
    response: userSchema,
    errors: ['USERNAME_TAKEN', 'VALIDATION_FAILED', 'RATE_LIMITED', 'OVERLOADED'],
  },
  logout: {
    ...routes.logout,
    summary: 'Destroy the session',
    status: 204,
    errors: [],
  },
  updateUser: {
    ...routes.updateUser,
    signedIn: true,
    summary: 'Change name and picture',
    body: userChangeSchema,
    status: 200,
    response: userSchema,
    errors: ['UNAUTHENTICATED', 'VALIDATION_FAILED'],
  },
  changePassword: {
    ...routes.changePassword,
    signedIn: true,
    summary: 'Change the password; every other session of the account ends',
    body: passwordChangeSchema,
    status: 204,
    errors: ['UNAUTHENTICATED', 'WRONG_PASSWORD', 'VALIDATION_FAILED', 'RATE_LIMITED', 'OVERLOADED'],
  },
  userSummary: {
    ...routes.userSummary,
    signedIn: true,
    summary: 'Figures of the progress box, and badges the user has not been notified about yet',
    status: 200,
    response: userSummarySchema,
    errors: ['UNAUTHENTICATED'],
  },
  exportUser: {
    ...routes.exportUser,
    signedIn: true,
    summary: 'All data stored about the signed-in user',
    status: 200,
    response: userExportSchema,
    errors: ['UNAUTHENTICATED'],
  },
  deleteUser: {
    ...routes.deleteUser,
    signedIn: true,
    summary: 'Delete the account: its polls are closed, its comments are deleted, and its votes still count',
    body: userDeletionSchema,
    status: 204,
    errors: ['UNAUTHENTICATED', 'WRONG_PASSWORD', 'VALIDATION_FAILED', 'RATE_LIMITED', 'OVERLOADED'],
  },
} as const satisfies Record<string, Endpoint>;
