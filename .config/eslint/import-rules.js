/**
 * Which modules may import which. A rule applies to the files it matches: imports matching `refuse` are errors, and with
 * `allow`, so are imports of this project's modules that match none of its patterns. Imports from other folders use a `#`
 * alias, so the specifier alone identifies the module.
 */

const tests = /\.(test|e2e)\.tsx?$|^api\/testing\/|\/fixtures\//;
const apiFeatures = /^api\/(?!contract\/|domain\/|platform\/|testing\/|commands\/)[a-z-]+\//;
const siteFeatures =
  /^site\/(?!admin\/|pages\/|layouts\/|ui\/|client\/|styles\/|server\/|e2e\/|public\/|polls\/[^/]+$)[a-z-]+\//;

/** Modules of this project: `#…` and `./…`. Everything else is a package. */
const internal = /^[#.]/;

const inside = /^\.\//;
/** What contracts share, and the contracts of features. */
const contract = /^#contract\/|^#api\/.*\.contract\.ts$/;
const domain = /^#domain\//;
const platform = /^#platform\//;
const texts = /^#texts\//;
/** The HTTP side of voting, which the routes of both kinds of poll use. */
const votingHttp = /^#api\/voting\/(voter|vote-limits)\.ts$/;
/** What can happen: each feature says it, none calls another one to tell it. */
const events = /^#api\/events\/events\.ts$/;

/** @type {{ name: string, files: RegExp, except?: RegExp, allow?: RegExp[], refuse?: RegExp[], why: string }[]} */
export const importRules = [
  {
    name: 'no-parent-imports',
    files: /./,
    refuse: [/^\.\.(\/|$)/, /\/\.\.\//],
    why: 'Import modules of other folders through a # alias.',
  },
  {
    name: 'database-access',
    files: /./,
    except: /^api\/platform\/(database|sqlite-(client|dialect\.d|file))\.ts$|^db\//,
    refuse: [/^(knex|pg|sqlite3|better-sqlite3|node:sqlite)(\/|$)/],
    why: 'Open databases with openDatabase in platform/database.ts, which checks SQLite files first.',
  },
  {
    name: 'no-tools-in-product',
    files: /^(api|site|content|db)\//,
    except: tests,
    refuse: [/^#ci\//],
    why: 'The product must not import benchmarks, fault injection, or the test runner.',
  },
  {
    name: 'contract',
    files: /^api\/contract\//,
    except: tests,
    allow: [inside],
    why: 'What contracts share imports nothing else.',
  },
  {
    name: 'contracts',
    files: /^api\/.*\.contract\.ts$/,
    allow: [contract, /^\.\/.*\.contract\.ts$/],
    why: 'Contracts import only contracts.',
  },
  {
    name: 'domain',
    files: /^api\/domain\//,
    except: tests,
    allow: [inside, contract, texts],
    why: 'The domain imports only contracts and texts.',
  },
  {
    name: 'domain-is-pure',
    files: /^api\/domain\//,
    except: tests,
    refuse: [/^node:/, /^(koa|objection)$/],
    why: 'The domain does no I/O.',
  },
  {
    name: 'texts',
    files: /^content\/texts\//,
    except: tests,
    allow: [inside, contract],
    why: 'Texts import only contracts.',
  },
  {
    name: 'db',
    files: /^db\/migrations\//,
    allow: [inside, /^#db\//, /^node:/],
    why: 'Migrations import no other code: models change, migrations must not.',
  },
  {
    name: 'tables',
    files: /^db\/tables\.ts$/,
    allow: [contract],
    why: 'The types of tables import only contracts.',
  },
  {
    name: 'platform',
    files: /^api\/platform\//,
    except: tests,
    allow: [inside, /^#contract\//, /^#api\/(endpoints|routes)\.contract\.ts$/, platform, texts, /^#db\/tables\.ts$/],
    why: 'The platform imports itself, the endpoints, tables, and texts, and knows no feature.',
  },
  {
    name: 'api-features',
    files: apiFeatures,
    except: tests,
    allow: [
      ...[inside, contract, domain, platform, texts, votingHttp, events],
      ...[/^#api\/([a-z-]+\/)+[a-z-]+\.(service|model)\.ts$/, /^#content\/demo\//],
    ],
    why: 'An API feature uses another one through its contract, services, and models.',
  },
  {
    name: 'features-through-services',
    files: /^api\/([a-z-]+\/)+[a-z-]+\.(routes|queries|presenter|model)\.ts$/,
    refuse: [/^#api\/(?!testing\/|voting\/(voter|vote-limits)\.ts$|.*\.(model|contract)\.ts$)/],
    why: 'Only services import other features.',
  },
  {
    name: 'routes',
    files: /^api\/([a-z-]+\/)+[a-z-]+\.routes\.ts$/,
    refuse: [/\.model\.ts$/],
    why: 'Routes use services, queries and presenters, not models.',
  },
  {
    name: 'models-and-presenters',
    files: /^api\/([a-z-]+\/)+[a-z-]+\.(model|presenter)\.ts$/,
    refuse: [/\.(service|routes|queries)\.ts$/],
    why: 'Models and presenters import no services, routes or queries.',
  },
  {
    name: 'no-http-in-services',
    files: /^api\/([a-z-]+\/)+[a-z-]+\.(service|queries)\.ts$/,
    refuse: [/\.routes\.ts$/],
    why: 'Services and queries must not depend on HTTP.',
  },
  {
    name: 'koa-only-in-routes',
    files: /^(api|site)\//,
    except:
      /\.routes\.ts$|^api\/(platform|testing)\/|^api\/voting\/(voter|vote-limits)\.ts$|^api\/(app|server)\.ts$|\.test\.tsx?$/,
    refuse: [/^(koa|@koa\/router|koa-session|koa-body)$/],
    why: 'Koa is used only in *.routes.ts and middleware.',
  },
  {
    name: 'site-uses-contract',
    files: /^site\//,
    except: /^site\/(e2e|server\/(?!renderer\/))|^site\/site-config\.ts$|\.http\.test\.ts$/,
    refuse: [/^#api\/(?!.*\.contract\.ts$)/, /^#platform\//, /^#db\//],
    why: 'The site imports only contracts and the domain from the API.',
  },
  {
    name: 'site-server',
    files: /^site\/server\/(?!renderer\/)|^site\/site-config\.ts$/,
    except: tests,
    refuse: [/^#api\/(?!.*\.contract\.ts$)/, /^#platform\/(?!config|logger|errors|trusted-proxies)/, /^#db\//],
    why: 'The site service shares only configuration, logging, errors and trusted proxies with the API.',
  },
  {
    name: 'ui',
    files: /^site\/ui\//,
    except: tests,
    allow: [inside, contract, domain, texts, /^#site\/ui\//],
    why: 'UI components know no feature.',
  },
  {
    name: 'client',
    files: /^site\/client\//,
    except: tests,
    allow: [inside, contract, domain, texts, /^#site\/(ui|client)\//],
    why: 'The client knows UI components, but no feature.',
  },
  {
    name: 'site-polls',
    files: /^site\/polls\/[^/]+$/,
    except: tests,
    allow: [
      ...[inside, contract, domain, texts],
      ...[/^#site\/(ui|client|styles|layouts|polls)\//, /^#site\/site-config\.ts$/],
    ],
    why: 'What all polls share composes the folders of polls, and imports no other feature.',
  },
  {
    name: 'site-features',
    files: siteFeatures,
    except: tests,
    allow: [
      inside,
      contract,
      domain,
      texts,
      /^#site\/(ui|client|styles|layouts|polls\/(voting|list))\//,
      /^#site\/site-config\.ts$/,
    ],
    why: 'Site features import no other feature except voting and lists of polls; pages compose them.',
  },
  {
    name: 'admin',
    files: /^site\/admin\//,
    except: tests,
    allow: [
      ...[inside, contract, domain, texts],
      ...[/^#site\/(admin|ui|client|styles|layouts|polls\/voting)\//, /^#site\/site-config\.ts$/],
    ],
    why: 'Admin pages share their folder, and import no other feature except voting.',
  },
];

/** The first rule that an import violates, or undefined. `file` is relative to the project's root. */
export function violatedRule(file, source) {
  return importRules.find((rule) => {
    if (!rule.files.test(file) || rule.except?.test(file)) return false;
    if (rule.refuse?.some((pattern) => pattern.test(source))) return true;
    return rule.allow !== undefined && internal.test(source) && !rule.allow.some((pattern) => pattern.test(source));
  });
}
