import { siteConfig, publicAddress } from '#site/site-config.ts';
import { searchPath, searchTexts } from '#texts/search.ts';

const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Lets browsers offer this site’s search (opensearch.org, 1.1). Names are cut to the lengths that it allows. */
export const GET = () =>
  new Response(
    `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${escaped(siteConfig.siteName.slice(0, 16))}</ShortName>
<Description>${escaped(searchTexts.openSearch(siteConfig.siteName).slice(0, 1_024))}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image width="16" height="16" type="image/svg+xml">${escaped(publicAddress('/favicon.svg'))}</Image>
<Url type="text/html" template="${escaped(publicAddress(searchPath))}?q={searchTerms}"/>
</OpenSearchDescription>
`,
    { headers: { 'content-type': 'application/opensearchdescription+xml' } },
  );
