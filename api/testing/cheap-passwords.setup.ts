import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Argon2id with the smallest parameters, whatever a hash says that it was made with: hashing passwords is the largest
 * cost of the HTTP tests. Only in the test’s own process, so that the product has no switch for weak hashes. A test whose
 * hashes are read or made by a process that it starts imports `real-passwords.ts`.
 */
export const realArgon2 = crypto.argon2;

crypto.argon2 = (algorithm, parameters, done) => {
  realArgon2(algorithm, { ...parameters, memory: 8, passes: 1 }, done);
};
syncBuiltinESMExports();
