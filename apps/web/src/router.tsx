import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { ErrorPage } from './shell/error-page.js';
import { MissingPage } from './shell/missing-page.js';
import { Shell } from './shell/shell.js';
import { lazyPlace } from './shell/lazy-place.js';
import { places } from './places.js';

const rootRoute = createRootRoute({
  component: () => <Shell places={places} />,
  errorComponent: ErrorPage,
  notFoundComponent: MissingPage,
});

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => redirect({ to: '/send', replace: true, throw: true }),
});

const placeRoutes = places
  .flatMap(({ routes }) => routes)
  .map((route) =>
    createRoute({
      getParentRoute: () => rootRoute,
      path: route.path,
      component: lazyPlace(route),
      errorComponent: ErrorPage,
    }),
  );

/** The routes below `/app`. Nothing is preloaded: a place is read when it is opened. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([startRoute, ...placeRoutes]),
  basepath: '/app',
  defaultPreload: false,
  scrollRestoration: false,
});
