/** Bytes that the parts of a workbook may unpack to. */
export const workbookBytes = 64 * 1024 * 1024;
/** Exit codes of the process that reads a workbook. */
export const workbookExits = { invalid: 2, tooLarge: 3 } as const;
/** Columns of a sheet that are read; settings can’t assign more. */
export { settingsColumns as workbookColumns } from './import-settings.contract.ts';
