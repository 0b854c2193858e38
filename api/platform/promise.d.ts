interface Promise<T> {
  /** The library’s type returns nothing, but a promise that the function returns is awaited. */
  finally(onfinally: () => PromiseLike<unknown>): Promise<T>;
}
