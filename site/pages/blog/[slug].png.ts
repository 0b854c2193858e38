import type { APIRoute, GetStaticPaths } from 'astro';
import type { BlogPost } from '#contract/blog.ts';
import { pictureOfArticle } from '#domain/social-picture.ts';
import { pictureResponse } from '#site/layouts/link-picture.ts';
import { articles } from '#site/snapshot/read-snapshot.ts';

export const prerender = true;

export const getStaticPaths = (() =>
  articles().map((post) => ({ params: { slug: post.slug }, props: { post } }))) satisfies GetStaticPaths;

export const GET: APIRoute<{ post: BlogPost }> = ({ props }) => pictureResponse(pictureOfArticle(props.post));
