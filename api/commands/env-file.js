import { existsSync } from 'node:fs';

// Node’s own --env-file-if-exists complains before every command where there is no file. JavaScript, so that services load
// nothing that removes types.
if (existsSync('.env')) process.loadEnvFile('.env');
