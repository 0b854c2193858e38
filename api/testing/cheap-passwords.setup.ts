import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { realPasswords } from './real-passwords.ts';

/**
 * Argon2id with the smallest parameters, whatever a hash specifies: hashing passwords is the largest cost of the HTTP
 * tests. It affects only the test’s own process, so the product has no switch for weak hashes.
 */
const argon2 = crypto.argon2;

crypto.argon2 = (algorithm, parameters, done) =>
  argon2(algorithm, realPasswords.used ? parameters : { ...parameters, memory: 8, passes: 1 }, done);
syncBuiltinESMExports();
