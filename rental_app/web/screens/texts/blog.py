"""The blog: the list, and a page for each post, whose text names figures that change without a build."""

import reflex as rx

from rental_app.content.posts import Post
from rental_app.infrastructure.settings import settings
from rental_app.web.frame.public import layout
from rental_app.web.parts.links import link_button
from rental_app.web.parts.picture import picture
from rental_app.web.parts.presenters.heads import all_posts
from rental_app.web.parts.theme import COLUMN, CONTAINER, HEADLINE, MUTED, PANEL, PROSE, SECTION_TITLE, SKELETON, STAGE
from rental_app.web.react.here import is_here
from rental_app.web.react.server_rendered import server_rendered
from rental_app.web.screens.texts.state import TextState

_LINK = "inline-flex min-h-9 items-center gap-2 text-sm font-medium text-(--accent-11)"
_CARD = f"{PANEL} group block h-full overflow-hidden no-underline transition-shadow hover:shadow-lg"


def blog() -> rx.Component:
    """The newest post large, the others below."""
    newest, *others = all_posts()
    return layout(
        rx.el.div(
            rx.el.div(
                rx.el.h1("Blog", class_name=HEADLINE),
                rx.el.a(
                    rx.icon("rss", size=18),
                    "RSS feed",
                    href="/blog/rss.xml",
                    class_name=_LINK,
                ),
                class_name="flex items-center justify-between gap-4",
            ),
            rx.el.p(f"What to know before you rent and ride in {settings().city}.", class_name=f"{MUTED} mt-3 text-lg"),
            rx.el.ul(
                _card(newest, "md:col-span-2", "md:grid md:grid-cols-2", loading="eager"),
                *[_card(post) for post in others],
                class_name="mt-8 grid list-none gap-6 p-0 md:grid-cols-2",
            ),
            class_name=f"{CONTAINER} pt-10",
        )
    )


def _card(post: Post, cell: str = "", inside: str = "", loading: str = "lazy") -> rx.Component:
    return rx.el.li(
        rx.el.a(
            rx.el.div(_picture(post, loading), class_name=f"flex items-center px-8 {STAGE}"),
            rx.el.div(
                rx.el.h2(post.title, class_name=SECTION_TITLE),
                rx.el.p(post.summary, class_name=f"{MUTED} mt-2 leading-7"),
                rx.el.p(_when(post), class_name=f"{MUTED} mt-4 text-sm"),
                class_name="flex flex-col justify-center p-6 sm:p-8",
            ),
            href=post.path,
            class_name=f"{_CARD} {inside}",
        ),
        class_name=cell,
    )


def _picture(post: Post, loading: str) -> rx.Component:
    classes = "mx-auto h-auto w-full max-w-md transition-transform group-hover:scale-105"
    return picture(post.shape, post.tint, classes, loading=loading)


def _when(post: Post) -> str:
    return f"{post.day} · {post.minutes} min read"


def post_page(post: Post) -> rx.Component:
    """A post, and links to go on from it."""
    return layout(
        rx.el.article(
            rx.el.a(
                rx.icon("chevron-left", size=18),
                "All posts",
                href="/blog",
                class_name=_LINK,
            ),
            rx.el.h1(post.title, class_name=f"{HEADLINE} mt-4"),
            rx.el.p(_when(post), class_name=f"{MUTED} mt-3"),
            rx.el.p(post.summary, class_name=f"{MUTED} mt-4 text-xl leading-8"),
            rx.el.div(_picture(post, "eager"), class_name=f"mt-8 rounded-3xl px-8 {STAGE}"),
            rx.el.div(
                server_rendered(
                    "post_text",
                    TextState.shown.bool() & is_here(TextState.asked_url),
                    rx.html(TextState.shown.html, class_name=PROSE),
                    rx.el.div(class_name=f"{SKELETON} h-160"),
                ),
                class_name="mt-8",
            ),
            class_name=f"{COLUMN} pt-8",
        ),
        _more(post),
    )


def _more(current: Post) -> rx.Component:
    others = [post for post in all_posts() if post.slug != current.slug]
    return rx.el.aside(
        rx.el.div(
            rx.el.h2("Read on", class_name=SECTION_TITLE),
            link_button("Find a vehicle", "/vehicles"),
            class_name="flex flex-wrap items-center justify-between gap-3",
        ),
        rx.el.ul(
            *[
                rx.el.li(
                    rx.el.a(
                        rx.el.h3(post.title, class_name="text-lg font-bold text-(--ink)"),
                        rx.el.p(post.summary, class_name=f"{MUTED} mt-1 leading-7"),
                        href=post.path,
                        class_name=f"{_CARD} p-6",
                    )
                )
                for post in others
            ],
            class_name="mt-6 grid list-none gap-6 p-0 sm:grid-cols-2",
        ),
        class_name=f"{COLUMN} mt-16",
        custom_attrs={"aria-label": "More posts"},
    )
