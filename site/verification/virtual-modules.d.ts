declare module 'virtual:offline-verifier' {
  /** The source of the verifier, one file for Node.js. */
  const source: string;
  export default source;
}
