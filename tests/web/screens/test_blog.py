"""The list of the blog's posts."""

from rental_app.web.parts.presenters.heads import all_posts
from rental_app.web.screens.texts import blog
from tests.support.rendered import rendered


def test_every_post_in_the_list_tells_its_day_and_how_long_it_takes() -> None:
    shown = rendered(blog.blog())
    for post in all_posts():
        assert f">{post.day} · {post.minutes} min read<" in shown, post.path
