# 함께하기만 해도 버는 것들, 그리고 매니저가 이름을 올린 사람들.

earned-follow = { $who }님, 팔로우 고마워요! { $credits } 드려요.
earned-subscribe = { $who }님, 구독 고마워요! { $credits } 드려요.
earned-cheer = { $who }님, 비트 고마워요! { $credits } 드려요.
earned-raid = { $who }님, 레이드 고마워요! { $credits } 드려요.
claimed = { $who }님이 { $credits } 받았어요. 다음에는 { $time } 뒤에 받을 수 있어요.
claimed-already = 이번에는 이미 받았어요. { $time } 뒤에 다시 받을 수 있어요.
claim-none = 여기서는 받을 것이 없어요.
claim-live-only = 방송 중에만 받을 수 있어요.
upkeep-taken = 오늘의 유지비: { $above } 넘게 가진 것의 { $percent }%인 { $credits }.
earns-nothing = 여기서는 { currency } 적립이 안 되는 명단에 올라 있어요. 매니저가 !exclude 이름 off 명령으로 빼 줄 수 있어요.

regular-now = 이제 { $who }님은 단골이에요.
regular-not = 이제 { $who }님은 단골이 아니에요.
excluded-now = 이제 { $who }님은 여기서 아무것도 벌지 못하고 순위에서도 빠져요.
excluded-not = { $who }님은 여기서 다른 사람들과 똑같이 벌고 순위에도 올라요.
named-already = { $who }님은 이미 그렇게 되어 있어서 바뀐 것이 없어요.

help-claim = 기간마다 한 번씩 출석 보상으로 { currency } 받아요.
help-regular = 어떤 사람을 단골로 올리거나 내려요.
help-exclude = 어떤 사람(다른 봇 등)이 아무것도 벌지 못하고 순위에서 빠지게 하거나, 되돌려요.
option-regular-member = 누구
option-regular-off = off는 되돌리기
option-exclude-member = 누구
option-exclude-off = off는 되돌리기

expects-name = { $most }자 이하의 이름
expects-account = “{ $key }”: 계정이 아니에요. twitch:4242처럼 써 주세요.
unit-percent = 퍼센트
unit-messages = 개

setting-regulars = 누가 단골인지: 계정과 알아볼 이름
setting-excluded = 누가 벌지 못하고 순위에서도 빠지는지: 계정. no라고 쓰면 알려진 봇도 함께할 수 있어요
setting-earning-watch = 방송 중에 watch_minutes만큼 볼 때마다 버는 양
setting-earning-watch_offline = 방송이 없을 때 이야기하는 사람이 버는 양
setting-earning-watch_minutes = 그만큼 벌기 위해 보아야 하는 시간
setting-earning-watch_active = 보는 사람이 얼마 안에 말했어야 하는지. 0: 와 있기만 하면 돼요
setting-earning-talk = 방송 중에 메시지 talk_messages개마다 버는 양
setting-earning-talk_offline = 방송이 없을 때 버는 양
setting-earning-talk_messages = 한 번에 쳐주는 메시지 수
setting-earning-talk_gap = 한 사람의 두 메시지를 모두 세는 데 필요한 간격
setting-earning-follow = 채널을 팔로우하면 평생 한 번 버는 양
setting-earning-subscribe = 구독을 알릴 때마다 버는 양
setting-earning-cheer = 100비트마다 버는 양. 그보다 적으면 비율대로 내림해요
setting-earning-raid = 레이드를 이끈 사람이 버는 양
setting-earning-raid_viewers = 함께 온 시청자 10명마다 더해지는 양
setting-earning-claim = !claim으로 받는 양. 0: 받을 수 없어요
setting-earning-claim_hours = 한 번씩 받을 수 있는 기간의 길이
setting-earning-claim_live = 방송 중에만 받을 수 있는지
setting-earning-daily_most = 한 사람이 하루에 시청과 대화와 레이드로 벌 수 있는 가장 많은 양. 0: 제한 없음
setting-earning-upkeep = 활동한 사람이 하루 한 번 upkeep_above를 넘는 크레딧에서 내는 비율. 0: 내지 않음
setting-earning-upkeep_above = 유지비가 들지 않는 크레딧
setting-earning-stacking = 역할이 여럿일 때 가장 높은 비율만 칠지, 모두 더할지
setting-earning-regular = 단골이 받는 비율
setting-earning-subscriber = 구독자가 받는 비율
setting-earning-vip = VIP가 받는 비율
setting-earning-moderator = 매니저가 받는 비율
setting-earning-broadcaster = 스트리머가 받는 비율
