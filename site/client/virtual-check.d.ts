/** Validates like the API; NAME is the `$id` of a schema (.config/contracts-in-browser.ts). */
declare module 'virtual:check/*' {
  const check: import('./check-input.ts').ContractCheck;
  export default check;
}
