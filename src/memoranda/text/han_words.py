"""How Chinese text is read for comparison: known words whole, every other character for itself."""

import re
from typing import Final

from memoranda.text.word_lists import word_set

_SIMPLIFIED: Final = str.maketrans(
    "這個們會來時說沒無開關雲電話機軟體務計畫設備報訂單賬號碼員經歡買賣東車錢點號間問學習書寫讀聽見覺對錯後"
    "與為從過還進遠運動聯繫網絡頁數據庫應該讓給請週雙號國語誰麼樣裡啟別閉統資訊發現實際總結",
    "这个们会来时说没无开关云电话机软体务计画设备报订单账号码员经欢买卖东车钱点号间问学习书写读听见觉对错后"
    "与为从过还进远运动联系网络页数据库应该让给请周双号国语谁么样里启别闭统资讯发现实际总结",
)
_DROPPED: Final = "的 是 为 非常 很 请 目前 现在 真的 也"
_NOT_DROPPED: Final = "因为 成为 认为 以为 作为 行为 为了 为什么 要是 但是 还是 总是 只是 可是 不是 就是 目的"
# Words in which a negation or a direction negates nothing and points nowhere.
_WHOLE: Final = (
    "不错 不过 不仅 不同 对不起 差不多 不久 不断 不得不 特别 区别 别人 分别 级别 性别 类别 别名 无线 无论 没收"
    " 非常 上海 上班 下班 上线 下线 大家 大学 小时 小心 前端 后端 后台 左右 来自 东西 开发 开会 关于 高兴 上午 下午"
    " 早上 晚上 中午 凌晨 傍晚 今天 明天 昨天 后天 前天 今日 明日 昨日 会议 用户 周末"
)
_SAME: Final = {
    "没有": "没", "勿": "别", "不要": "别", "请勿": "别", "从未": "从不", "从来不": "从不", "您": "你",
    "但是": "但",
    "可是": "但", "由于": "因为", "假如": "如果", "每日": "每天", "和": "和", "与": "和", "跟": "和", "及": "和",
    "以及": "和", "今日": "今天", "明日": "明天", "昨日": "昨天", "大约": "约", "大概": "约", "左右": "约",
    "停用": "禁用", "位于": "在", "使用": "用", "早晨": "早上", "起动": "启动",
}  # fmt: skip
TIMES: Final = word_set("今天 明天 昨天 后天 前天")
MEASURES: Final = word_set("个 位 只 条 台 张 本 件 家 名 辆 项 份 次 把 双 杯 块")
"""Words between a number and what it counts."""

_OPPOSED: Final = (
    "启用 禁用 开启 关闭 打开 喜欢 讨厌 厌恶 允许 禁止 不可 之前 之后 以前 以后 总是 公开 私有 成功 失败 增加 减少 上升"
    " 下降 上涨 下跌 接受 拒绝 批准 同意 反对 通过 开始 结束 容易 困难 便宜 显示 隐藏 在线 离线 必须 安全 危险 支持"
    " 经常 很少 添加 删除 最大 最小 从不"
)
_WORDS: Final = sorted(
    {*_DROPPED.split(), *_NOT_DROPPED.split(), *_WHOLE.split(), *_SAME, *_OPPOSED.split()}, key=len, reverse=True
)
_PIECE: Final = re.compile("|".join(_WORDS) + "|.", re.DOTALL)
_LEFT_OUT: Final = frozenset(_DROPPED.split())
COPULAS: Final = frozenset("是为")


def simplified(text: str) -> str:
    """Returns a text with the commonest traditional characters in their simplified form."""
    return text.translate(_SIMPLIFIED)


def pieces(run: str) -> list[tuple[str, bool]]:
    """Cuts a run of Chinese into its words, each with whether it may be missing."""
    words = _PIECE.findall(run)
    return [(_SAME.get(word, word), word in _LEFT_OUT) for word in words]
