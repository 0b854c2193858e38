/** Saves content as a file in the visitor’s downloads. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Later, because the download may only start after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
