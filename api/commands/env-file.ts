import { existsSync } from 'node:fs';

// Preloaded by the npm scripts. Node’s --env-file-if-exists would print a line whenever there is no such file.
if (existsSync('.env')) process.loadEnvFile('.env');
