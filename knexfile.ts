import { readConfig } from './api/platform/config.ts';
import { knexConfig } from './api/platform/database.ts';

export default knexConfig(readConfig().databaseUrl);
