import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { realArgon2 } from './cheap-passwords.setup.ts';

/** For tests about the hash itself, or that share hashes with a process they start: passwords cost what they cost. */
crypto.argon2 = realArgon2;
syncBuiltinESMExports();
