/**
 * Has Node compile the code of the services for its cache, and runs none of it: modules are evaluated in this order, and
 * the first one ends the process. A service that finds a file missing in the cache loads what removes types from code,
 * which takes up to 16 MB until the service ends.
 */
import './compile-only.ts';
import './start.ts';
import './prepare-site.ts';
import './build.ts';
import './site.ts';
import '#site/polls/sharing/draw-picture.ts';
import './api.ts';
import '#domain/password-strength.ts';
import '#api/integrity/log/worker.ts';
import './publisher.ts';
import './render-worker.ts';
